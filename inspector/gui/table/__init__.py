"""Tables over arrays: model, columns, filter, and the view that paints them."""
