"""The explorer: look words up in a browser, in both languages of one mapping or several."""
