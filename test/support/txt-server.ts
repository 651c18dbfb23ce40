import { createSocket } from 'node:dgram'
import dns from 'node:dns'

const HEADER = 12
/** End of a question: a name that ends with a zero, then type and class. */
const endOfQuestion = (query: Buffer): number => query.indexOf(0, HEADER) + 5

/** Serves TXT records to this process by a DNS server of its own. `records` may change meanwhile. */
export async function serveTxt(records: Record<string, string>): Promise<{ readonly stop: () => void }> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const question = query.subarray(HEADER, endOfQuestion(query))
    const text = records[nameIn(question)]
    const header = Buffer.from(query.subarray(0, HEADER))
    header.writeUInt16BE(text === undefined ? 0x8183 : 0x8180, 2)
    header.writeUInt16BE(text === undefined ? 0 : 1, 6)
    header.writeUInt32BE(0, 8)
    socket.send(Buffer.concat([header, question, ...(text === undefined ? [] : [answerWith(text)])]), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const before = dns.getServers()
  dns.setServers([`127.0.0.1:${socket.address().port}`])
  return {
    stop: () => {
      dns.setServers(before)
      socket.close()
    },
  }
}

function nameIn(question: Buffer): string {
  const labels: string[] = []
  for (let at = 0; question[at] !== 0 && at < question.length; at += (question[at] ?? 0) + 1)
    labels.push(question.toString('ascii', at + 1, at + 1 + (question[at] ?? 0)))
  return labels.join('.').toLowerCase()
}

/** One TXT record of the name in the question, for a minute. */
function answerWith(text: string): Buffer {
  const start = Buffer.from([0xc0, HEADER, 0, 16, 0, 1, 0, 0, 0, 60, 0, 0, text.length])
  start.writeUInt16BE(text.length + 1, 10)
  return Buffer.concat([start, Buffer.from(text, 'ascii')])
}
