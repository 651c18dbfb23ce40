import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Decrypter, Encrypter } from 'age-encryption'
import type { Place } from './place.ts'

/**
 * How names of files end that age encrypted for these recipients. Files for others do not count as there: their recipients alone can
 * read them, so that a backup for new recipients is whole without the old ones.
 */
export const sealedFor = (recipients: readonly string[]): string =>
  `.${createHash('sha256').update(recipients.toSorted().join()).digest('hex').slice(0, 12)}.age`

/** The end of the name of a sealed file; null for the name of another one. */
export const sealIn = (name: string, file: string): string | null =>
  name.startsWith(file) && /^\.[0-9a-f]{12}\.age$/.test(name.slice(file.length)) ? name.slice(file.length) : null

/** Keys of age (age-encryption.org): a backup is written for the recipients, and read by an identity of one of them. */
export type AgeKeys = { readonly recipients: readonly string[]; readonly identities: readonly string[] }

/**
 * A place whose files age encrypts; `seal` ends their names. Throws with one line for a key that is none; the line does not repeat it,
 * since it may be an identity by mistake.
 */
export async function createSealedPlace(place: Place, seal: string, { recipients, identities }: AgeKeys): Promise<Place> {
  const age = await import('age-encryption')
  const [encrypter, decrypter] = [new age.Encrypter(), new age.Decrypter()]
  for (const recipient of recipients) added(() => encrypter.addRecipient(recipient), 'a recipient looks like age1…')
  for (const identity of identities) added(() => decrypter.addIdentity(identity), 'an identity looks like AGE-SECRET-KEY-1…')
  return {
    ...place,
    async begin(backup) {
      const begun = await place.begin(backup)
      return { ...begun, write: async (file, source) => begun.write(`${file}${seal}`, await encrypted(encrypter, source)) }
    },
    async names(folder) {
      const sealed = [...(await place.names(folder))].filter((name) => name.endsWith(seal))
      return new Set(sealed.map((name) => name.slice(0, -seal.length)))
    },
    write: async (name, source) => place.write(`${name}${seal}`, await encrypted(encrypter, source)),
    async read(name) {
      const source = await place.read(`${name}${seal}`)
      return source === null ? null : decrypted(decrypter, source)
    },
  }
}

function added(add: () => void, hint: string): void {
  try {
    add()
  } catch {
    throw new Error(`the key for age is malformed: ${hint}`)
  }
}

const encrypted = async (encrypter: Encrypter, source: Readable): Promise<Readable> =>
  Readable.fromWeb((await encrypter.encrypt(webOf(source))) as ReadableStream<Uint8Array>)

async function decrypted(decrypter: Decrypter, source: Readable): Promise<Readable> {
  const plain = await decrypter.decrypt(webOf(source)).catch((error: unknown) => {
    source.destroy()
    throw error
  })
  return Readable.fromWeb(plain as ReadableStream<Uint8Array>)
}

const webOf = (source: Readable) => Readable.toWeb(source) as unknown as globalThis.ReadableStream<Uint8Array>
