"""Networks that write what they answer: how they are asked, what they read, how a text comes out of them."""
