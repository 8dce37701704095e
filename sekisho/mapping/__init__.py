"""Names and abbreviations to catalogue records."""
