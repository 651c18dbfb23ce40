/** Processor time that this process has taken, milliseconds. Unlike time on the clock, it says the same on a busy machine. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** How often a long turn is looked for, milliseconds. */
const EVERY_MS = 10

/**
 * Measures until the returned function is called, which gives the processor time of the longest turn of the event loop, milliseconds, to
 * within 10: so long no other call was answered.
 */
export function longestTurn(): () => number {
  let longest = 0
  let last = processorMs()
  const look = () => {
    const now = processorMs()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(look, EVERY_MS)
  return () => {
    clearInterval(timer)
    look()
    return longest
  }
}
