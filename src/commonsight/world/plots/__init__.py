"""What can happen in the world, as tables of episodes: at home, in town, at work and at play."""
