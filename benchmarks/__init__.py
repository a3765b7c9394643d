"""What isolex costs, next to what else does the job: see README.md beside this file."""
