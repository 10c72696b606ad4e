"""The only names that generated code may use. Compiler and runtime meet here and nowhere else. (Owner: compiler.)"""
