import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './product-process.ts'

/** Where Debian's golang-golang-x-mod-dev puts the packages. */
const PACKAGES = '/usr/share/gocode'

/** Whether Go and its packages for signed notes and logs are here: apt-get install golang-go golang-golang-x-mod-dev. */
export const HAS_GO = existsSync(join(PACKAGES, 'src/golang.org/x/mod/sumdb/tlog')) && spawnSync('go', ['version']).status === 0

export type ForGo = {
  readonly keys: readonly string[]
  readonly inclusion: readonly {
    readonly checkpoint: string
    readonly event_hash: string
    readonly index: number
    readonly hashes: readonly string[]
  }[]
  readonly consistency: readonly { readonly first: string; readonly second: string; readonly hashes: readonly string[] }[]
}

/** Verdict of Go's packages on checkpoints and proofs: `ok`, or a line for each fault. */
export function verifiedByGo(said: ForGo): string {
  const { status, stdout, stderr } = spawnSync('go', ['run', join(root, 'test/go/verify-log.go')], {
    input: JSON.stringify(said),
    encoding: 'utf8',
    env: {
      ...process.env,
      GO111MODULE: 'off',
      GOPATH: PACKAGES,
      GOCACHE: join(tmpdir(), 'placard-go-cache'),
      GOFLAGS: '',
    },
  })
  if (status !== 0) throw new Error(`go failed: ${stderr}`)
  return stdout.trim()
}
