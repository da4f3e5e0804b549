"""Files that people bring: a deck in a folder or in an archive, other archives, and what else is read from the disk."""

from vision.files.archive import EMMA_FILE, LARGEST_ARCHIVE_BYTES, MOST_ENTRIES, deck_archive, with_images
from vision.files.deck_files import LARGEST_DECK_BYTES, DeckFiles, read_deck, read_deck_files
from vision.files.outside import FileError, TooLarge, read_outside, within
from vision.files.zip_directory import ZipDirectory, read_entry

__all__ = [
    "EMMA_FILE",
    "LARGEST_ARCHIVE_BYTES",
    "LARGEST_DECK_BYTES",
    "MOST_ENTRIES",
    "DeckFiles",
    "FileError",
    "TooLarge",
    "ZipDirectory",
    "deck_archive",
    "read_deck",
    "read_deck_files",
    "read_entry",
    "read_outside",
    "with_images",
    "within",
]
