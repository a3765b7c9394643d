"""SVG plots of the report and the explorer."""
