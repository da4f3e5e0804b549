"""The rules as players read them: each clause in plain sentences, with the numbers of the edition that is played."""
