"""Small widgets and painters that several screens use. None knows a screen."""
