"""Natural language inference: does one text follow from another, contradict it, or neither?"""
