import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'

/** How to run a program that refuses root: through a wrapping command, or under another user's ids. */
export type Unprivileged = {
  readonly wrap: (command: string, args: readonly string[]) => readonly [string, readonly string[]]
  readonly ids: { readonly uid: number; readonly gid: number } | null
}

const AS_IS: Unprivileged = { wrap: (command, args) => [command, args], ids: null }

/**
 * PostgreSQL refuses to run as root. Best is a user namespace that maps root to an ordinary user: files stay root's own and
 * the data folder may be inside folders that other users cannot enter. Where namespaces are forbidden: the users postgres or
 * nobody. An existing data folder of another user is run as that user in any case.
 */
export function unprivileged(dataFolder: string): Unprivileged {
  if (process.getuid?.() !== 0) return AS_IS
  if (existsSync(dataFolder)) {
    const { uid, gid } = statSync(dataFolder)
    if (uid !== 0) return { ...AS_IS, ids: { uid, gid } }
  }
  const namespace = ['--map-user=1000', '--map-group=1000', '--']
  if (spawnSync('unshare', [...namespace, 'true']).status === 0) {
    return { wrap: (command, args) => ['unshare', [...namespace, command, ...args]], ids: null }
  }
  const ids = existsSync(dataFolder) ? null : (idsOf('postgres') ?? idsOf('nobody'))
  if (ids === null) {
    throw new Error(
      'PostgreSQL cannot run as root, and there is no other user to run it as: start Placard as an ordinary user, or set DATABASE_URL',
    )
  }
  return { ...AS_IS, ids }
}

function idsOf(user: string): { uid: number; gid: number } | null {
  const uid = spawnSync('id', ['-u', user], { encoding: 'utf8' })
  const gid = spawnSync('id', ['-g', user], { encoding: 'utf8' })
  return uid.status === 0 && gid.status === 0 ? { uid: Number(uid.stdout), gid: Number(gid.stdout) } : null
}
