"""The explorer: look words up in a browser, in every language of one space or several."""
