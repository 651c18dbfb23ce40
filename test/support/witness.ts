import { createHash, createPrivateKey, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isConsistent, readCheckpoint, readVerifierKey } from '#proof/log/offline-verifier'
import { noteSigner } from '#proof/log/signed-note'

export type TestWitness = {
  /** As PLACARD_WITNESS_URLS names it. */
  readonly setting: string
  readonly key: string
  /** Sizes that it cosigned, in order. */
  readonly cosigned: readonly number[]
  /** Answers to every request, in order. */
  readonly answers: readonly number[]
  /** While down it drops every connection. */
  readonly down: (isDown: boolean) => void
  readonly trust: (verifierKeys: readonly string[]) => void
  /** Forgets what it cosigned, or pretends to have cosigned another size. */
  readonly set: (size: number, root: Buffer) => void
  readonly stop: () => Promise<void>
}

/** A witness of C2SP tlog-witness with one key, which remembers its logs in memory. */
export async function startWitness(name: string): Promise<TestWitness> {
  const seed = createHash('sha256').update(name).digest()
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
  const secret = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const typed = Buffer.from(noteSigner(name, seed).verifierKey.slice(name.length + 10), 'base64')
  typed[0] = 4
  const id = createHash('sha256').update(`${name}\n`).update(typed).digest().subarray(0, 4)
  const key = `${name}+${id.toString('hex')}+${typed.toString('base64')}`
  let isDown = false
  let trusted: readonly string[] | null = null
  let latest: { readonly size: bigint; readonly root: Buffer } = { size: 0n, root: createHash('sha256').digest() }
  const cosigned: number[] = []
  const answers: number[] = []

  function answer(body: string): { status: number; text: string; type?: string } {
    const end = body.indexOf('\n\n')
    const [old = '', ...proof] = body.slice(0, end).split('\n')
    const note = body.slice(end + 2)
    const text = note.slice(0, note.lastIndexOf('\n\n') + 1)
    if (trusted === null) return { status: 404, text: '' }
    let head: { readonly size: bigint; readonly root: Buffer }
    try {
      head = readCheckpoint(note, trusted.map(readVerifierKey))
    } catch {
      return { status: 403, text: '' }
    }
    const [, from = ''] = /^old (0|[1-9]\d*)$/.exec(old) ?? []
    if (from === '' || BigInt(from) > head.size) return { status: 400, text: '' }
    if (BigInt(from) !== latest.size) return { status: 409, text: `${latest.size}\n`, type: 'text/x.tlog.size' }
    const path = proof.map((line) => Buffer.from(line, 'base64'))
    if (latest.size === head.size && !latest.root.equals(head.root)) return { status: 409, text: '' }
    if (!isConsistent({ first: latest, second: head, path })) return { status: 422, text: '' }
    latest = { size: head.size, root: head.root }
    cosigned.push(Number(head.size))
    const seconds = BigInt(Math.floor(Date.now() / 1000))
    const time = Buffer.alloc(8)
    time.writeBigUInt64BE(seconds)
    const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`), secret)
    // A line of a key that the log does not know comes first.
    const foreign = `— other.example/w AAAAAA${'A'.repeat(96)}\n`
    return { status: 200, text: `${foreign}— ${name} ${Buffer.concat([id, time, signature]).toString('base64')}\n` }
  }

  const server = createServer((request, response) => {
    if (isDown) return void request.socket.destroy()
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const isOurs = request.method === 'POST' && request.url === '/log/add-checkpoint'
      const { status, text, type = 'text/plain' } = isOurs ? answer(Buffer.concat(parts).toString()) : { status: 405, text: '' }
      answers.push(status)
      response.writeHead(status, { 'content-type': type }).end(text)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    setting: `http://127.0.0.1:${port}/log#${key}`,
    key,
    cosigned,
    answers,
    down: (now) => {
      isDown = now
    },
    trust: (keys) => {
      trusted = keys
    },
    set: (size, root) => {
      latest = { size: BigInt(size), root }
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
