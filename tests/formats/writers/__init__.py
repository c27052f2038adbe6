"""Writers: transcripts and windows back into formats."""
