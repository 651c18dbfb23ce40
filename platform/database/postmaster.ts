import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { processIdentity } from './process-identity.ts'

export type Postmaster = { readonly pid: number; readonly port: number; readonly status: string }

/** Content of postmaster.pid; null without one. Says nothing about whether that process lives, or is PostgreSQL. */
export function readPostmasterFile(dataFolder: string): Postmaster | null {
  try {
    const lines = readFileSync(path.join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), port: Number(lines[3] ?? 0), status: (lines[7] ?? '').trim() }
  } catch {
    return null
  }
}

/**
 * Whether `pid` is a living postmaster of this very folder. After kill -9 the number in postmaster.pid may belong to a
 * zombie, to another program, or to the PostgreSQL of another folder.
 */
export function isPostmasterOf(pid: number, dataFolder: string): boolean {
  if (processIdentity(pid) === null) return false
  const command = commandOf(pid)
  if (command === null || !command.includes('postgres')) return false
  try {
    // A postmaster works inside its data folder, and the link follows a folder that was moved.
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dataFolder)
  } catch {
    // Not Linux, or not ours to see: assume that it is ours, rather than start a second one beside it.
    return true
  }
}

function commandOf(pid: number): string | null {
  try {
    if (process.platform !== 'linux') return execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' })
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return null
  }
}
