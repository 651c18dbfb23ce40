import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { ConfigFault } from '#commands/config-fault'
import { readConfig } from '../config.ts'
import { refuseUnusablePlaces } from './places.ts'

const folder = mkdtempSync(join(tmpdir(), 'placard-places-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'file')
writeFileSync(file, '')

const USABLE = { PORT: '0', PLACARD_DEMO: 'off', PLACARD_DATA_DIR: join(folder, 'data') }
const lineOf = (env: Record<string, string>) =>
  refuseUnusablePlaces(readConfig({ ...USABLE, ...env })).then(
    () => '',
    (error: unknown) => (error instanceof ConfigFault ? error.message : String(error)),
  )

it.each([
  [
    'a data folder below a file',
    { PLACARD_DATA_DIR: `${file}/x` },
    /^PLACARD_DATA_DIR: the folder .* a part of the path is a file$/,
  ],
  ['a data folder that is a file', { PLACARD_DATA_DIR: file }, /^PLACARD_DATA_DIR: the folder .* a file has this name$/],
  ['a folder of files below a file', { FILE_STORE_URL: `file://${file}/x` }, /^FILE_STORE_URL: .* a part of the path is a file$/],
  ['an archive below a file', { PLACARD_PG_ARCHIVE: `${file}/x` }, /^PLACARD_PG_ARCHIVE: .* a part of the path is a file$/],
  [
    'a name that is unknown',
    { HOST: 'no-such-host.invalid' },
    /^HOST: the name no-such-host\.invalid (is unknown|could not be looked up)$/,
  ],
  ['an address of another machine', { HOST: '192.0.2.7' }, /^HOST: 192\.0\.2\.7 is no address of this machine$/],
])('names the setting of %s in one line', async (_, env, line) => expect(await lineOf(env)).toMatch(line))

it('names the port that another process has', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  expect(await lineOf({ PORT: String(port) })).toBe(`PORT: the port ${port} is already in use`)
  server.close()
  await once(server, 'close')
  expect(await lineOf({ PORT: String(port) })).toBe('')
})

it('makes the folders that can be used, the data folder for its user alone', async () => {
  expect(await lineOf({ PLACARD_DATA_DIR: join(folder, 'new/data') })).toBe('')
  expect(statSync(join(folder, 'new/data')).mode & 0o777).toBe(0o700)
})
