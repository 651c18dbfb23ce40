import { startStandIn } from '#test/support/kurrent/stand-in'

// A process of its own: the server must not share the thread of the callers that are measured.
const { url } = await startStandIn()
process.send?.(url)
process.on('disconnect', () => process.exit(0))
