import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Decrypter, Encrypter } from 'age-encryption'
import type { Place } from './place.ts'

/** Files that age encrypted end so. */
export const SEALED = '.age'

/** Keys of age (age-encryption.org): a backup is written for the recipients, and read by an identity of one of them. */
export type AgeKeys = { readonly recipients: readonly string[]; readonly identities: readonly string[] }

/** Throws with one line for a key that is none; the line does not repeat it, since it may be an identity by mistake. */
export async function createSealedPlace(place: Place, { recipients, identities }: AgeKeys): Promise<Place> {
  const age = await import('age-encryption')
  const [encrypter, decrypter] = [new age.Encrypter(), new age.Decrypter()]
  for (const recipient of recipients) added(() => encrypter.addRecipient(recipient), 'a recipient looks like age1…')
  for (const identity of identities) added(() => decrypter.addIdentity(identity), 'an identity looks like AGE-SECRET-KEY-1…')
  return {
    ...place,
    async begin(backup) {
      const begun = await place.begin(backup)
      return { ...begun, write: async (file, source) => begun.write(`${file}${SEALED}`, await encrypted(encrypter, source)) }
    },
    async names(folder) {
      const sealed = [...(await place.names(folder))].filter((name) => name.endsWith(SEALED))
      return new Set(sealed.map((name) => name.slice(0, -SEALED.length)))
    },
    write: async (name, source) => place.write(`${name}${SEALED}`, await encrypted(encrypter, source)),
    async read(name) {
      const source = await place.read(`${name}${SEALED}`)
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
