import type { Readable } from 'node:stream'
import { callbackify } from 'node:util'
import { simpleParser, type ParsedMail } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { listenOn } from './ports.ts'

/** How the server treats the next mails. */
export type Behaviour =
  | { readonly kind: 'accepts' }
  /** Refuses the recipient with this number. */
  | { readonly kind: 'refuses'; readonly code: number }
  /** Refuses the sender, when it is named or, as Postfix does, when the recipient is. */
  | { readonly kind: 'refuses-sender'; readonly code: number; readonly at: 'sender' | 'recipient'; readonly text: string }
  /** Greets and acknowledges a mail after these times, milliseconds. */
  | { readonly kind: 'slow'; readonly greetMs: number; readonly takeMs: number }
  /** Takes the mail, and ends the connection instead of saying so. */
  | { readonly kind: 'swallows' }
  /** Takes the connection and never says anything. */
  | { readonly kind: 'frozen' }
  /** Ends the connection instead of taking the mail. */
  | { readonly kind: 'drops' }

async function received(stream: Readable, into: ParsedMail[]): Promise<void> {
  into.push(await simpleParser(Buffer.concat(await stream.toArray())))
}

/** A mail server in this process. */
export async function startSmtp(port = 0) {
  const mails: ParsedMail[] = []
  let behaviour: Behaviour = { kind: 'accepts' }
  let attempts = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onConnect: (_session, done) => {
      if (behaviour.kind === 'slow') setTimeout(done, behaviour.greetMs)
      else if (behaviour.kind !== 'frozen') done()
    },
    onMailFrom: (_address, _session, done) => {
      if (behaviour.kind !== 'refuses-sender' || behaviour.at !== 'sender') return done()
      attempts += 1
      done(Object.assign(new Error(behaviour.text), { responseCode: behaviour.code }))
    },
    onRcptTo: (_address, _session, done) => {
      if (behaviour.kind !== 'refuses' && behaviour.kind !== 'refuses-sender') return done()
      attempts += 1
      const text = behaviour.kind === 'refuses' ? 'not now' : behaviour.text
      done(Object.assign(new Error(text), { responseCode: behaviour.code }))
    },
    onData: (stream, _session, done) => {
      attempts += 1
      if (behaviour.kind === 'drops') {
        for (const connection of server.connections) (connection as { readonly close: () => void }).close()
        return
      }
      if (behaviour.kind === 'swallows') {
        void received(stream, mails).then(() => {
          for (const connection of server.connections) (connection as { readonly close: () => void }).close()
        })
        return
      }
      const { takeMs } = behaviour.kind === 'slow' ? behaviour : { takeMs: 0 }
      callbackify(() => received(stream, mails))((error) => void setTimeout(() => done(error), takeMs))
    },
  })
  server.on('error', () => undefined)
  const bound = await listenOn(server.server, port)
  return {
    url: `smtp://127.0.0.1:${bound}?from=ads@placard.example`,
    port: bound,
    mails,
    attempts: () => attempts,
    behave: (next: Behaviour) => {
      behaviour = next
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
export type TestSmtp = Awaited<ReturnType<typeof startSmtp>>
