"""What tests of the explorer put on its shelf."""

HOSTILE = '<script>window.harmed=1</script><img src=x onerror="window.harmed=1">'
TOKEN = "the owner's token"
