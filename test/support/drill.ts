import { runTool } from './command-line.ts'

const TOOLS = [
  ['audit', 'verify', '--all'],
  ['projections', 'verify'],
  ['billing', 'reconcile'],
] as const

/**
 * Checks after a drill as an operator makes them: that the log, every read model and the books are whole. A line for each tool
 * that finds a fault.
 */
export async function faultsAfterDrill(url: string, env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const found: string[] = []
  for (const [tool, ...args] of TOOLS) {
    const { code, out, err } = await runTool(`api/cli/${tool}.ts`, args, url, { env })
    if (code !== 0) found.push(`${tool} ${args.join(' ')}: ${err}${out}`)
  }
  return found
}
