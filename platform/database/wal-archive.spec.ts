import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clusterFolder, type ClusterFolder } from './cluster-folder.ts'
import { archiveCommand, archiveOf, chooseArchive, recoverySettings, walArchive, type WalArchive } from './wal-archive.ts'

const SEGMENT = '000000010000000000000007'

describe('the archive of an embedded server', () => {
  let home: string
  let server: ClusterFolder
  let archive: WalArchive

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'placard-archive-'))
    server = clusterFolder(join(home, 'postgres'))
    // As PostgreSQL's placeholders and the shell's quotes.
    archive = walArchive(join(home, "50%f of Ada's"))
    chooseArchive(server, archive.root)
  })
  afterEach(() => rmSync(home, { recursive: true }))

  /** Runs a command as PostgreSQL does. */
  const run = (command: string, name: string, file: string) => {
    const text = command.replaceAll(/%[pf%]/g, (found) => ({ '%p': file, '%f': name, '%%': '%' })[found] ?? found)
    return spawnSync('sh', ['-c', text], { cwd: home }).status
  }
  const copy = (text: string, name = SEGMENT) => {
    writeFileSync(join(home, 'segment'), text)
    return run(archiveCommand(archive), name, 'segment')
  }
  const stored = () => gunzipSync(readFileSync(join(archive.wal, `${SEGMENT}.gz`))).toString()

  it('takes a segment whole, under its name, for its owner alone', () => {
    expect(copy('wal '.repeat(1000))).toBe(0)
    expect(stored()).toBe('wal '.repeat(1000))
    expect(readdirSync(archive.wal)).toEqual([`${SEGMENT}.gz`])
    expect(statSync(join(archive.wal, `${SEGMENT}.gz`)).mode & 0o077).toBe(0)
    expect(run(String(recoverySettings(archive, new Date())['restore_command']), SEGMENT, 'restored')).toBe(0)
    expect(readFileSync(join(home, 'restored'), 'utf8')).toBe('wal '.repeat(1000))
    expect(run(String(recoverySettings(archive, new Date())['restore_command']), 'missing', 'other')).not.toBe(0)
  })

  it('takes the same segment again, also over the rest of a copy that was killed, and never another one of its name', () => {
    writeFileSync(join(archive.wal, `${SEGMENT}.gz.copying`), 'half')
    expect(copy('first')).toBe(0)
    expect(copy('first')).toBe(0)
    expect(copy('second')).not.toBe(0)
    expect(stored()).toBe('first')
  })

  it('takes nothing while its disk is not mounted, and keeps no name of what it could not copy', () => {
    renameSync(archive.root, `${archive.root}-away`)
    mkdirSync(archive.wal, { recursive: true })
    expect(copy('first')).not.toBe(0)
    expect(existsSync(join(archive.wal, `${SEGMENT}.gz`))).toBe(false)
    expect(run(archiveCommand(archive), SEGMENT, 'missing')).not.toBe(0)
    expect(() => chooseArchive(server, archive.root)).toThrow(/is its disk mounted/)
  })

  it('belongs to one server, stays with it when it is moved, and ends with the setting', () => {
    copy('first')
    const other = clusterFolder(join(home, 'other'))
    expect(() => chooseArchive(other, archive.root)).toThrow(/holds the archive of another database/)
    expect(archiveOf(other)).toBeNull()
    const moved = join(home, 'moved')
    renameSync(archive.root, moved)
    expect(chooseArchive(server, moved)?.root).toBe(moved)
    // A tool has no setting, and keeps it.
    expect(chooseArchive(server, undefined)?.root).toBe(moved)
    expect(chooseArchive(server, null)).toBeNull()
    expect(archiveOf(server)).toBeNull()
    // Files that were written meanwhile are missing.
    expect(() => chooseArchive(server, moved)).toThrow(/a restore or a pause/)
  })

  it('does not begin in a folder with other files', () => {
    const foreign = join(home, 'foreign')
    mkdirSync(foreign)
    writeFileSync(join(foreign, 'thesis.txt'), 'mine')
    expect(() => chooseArchive(clusterFolder(join(home, 'new')), foreign)).toThrow(/choose an empty folder/)
    expect(readdirSync(foreign)).toEqual(['thesis.txt'])
  })
})
