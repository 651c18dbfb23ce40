import { Refused } from '#commands/refused'

/**
 * Runs a command-line tool: its exit code is what `main` resolves with. What it throws is one line without a trace, of a refused command
 * its first fault, and exit code 1.
 */
export async function runTool(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main()
  } catch (error) {
    const fault = error instanceof Refused ? error.rejection.faults[0]?.message : undefined
    console.error(fault ?? (error instanceof Error ? error.message : error))
    process.exitCode = 1
  }
}
