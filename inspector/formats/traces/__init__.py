"""Messages and runs that frameworks and tracers write down."""
