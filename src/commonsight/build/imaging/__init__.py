"""From raw videos and folders of photographs to scenes worth asking about."""
