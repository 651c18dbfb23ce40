import { readFileSync } from 'node:fs'

/**
 * A process by number and start time. Numbers are reused, so a number found in a file says nothing by itself:
 * after a crash it may belong to a stranger. Null when no such process runs; a zombie does not run.
 */
export function processIdentity(pid: number): string | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null
  return process.platform === 'linux' ? linuxIdentity(pid) : signalledIdentity(pid)
}

/** Whether the process that once gave this identity still runs. */
export function isRunning(identity: string): boolean {
  return identity !== '' && processIdentity(Number.parseInt(identity, 10)) === identity
}

function linuxIdentity(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name stands in parentheses and may itself hold spaces and parentheses: count from the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const state = fields[0]
    return state === 'Z' || state === 'X' ? null : `${pid} ${fields[19]}`
  } catch {
    return null
  }
}

function signalledIdentity(pid: number): string | null {
  try {
    process.kill(pid, 0)
    return `${pid}`
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM' ? `${pid}` : null
  }
}
