import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { ConfigFault } from '#commands/config-fault'
import type { ColumnSeal } from '#eventstore/postgres/sealed-columns'

/**
 * Keys that the product makes are stored sealed under a key outside the database (fine print 88), so that a copy of the database alone opens
 * nothing: AES-256-GCM, bound to the row. Without such a key they are stored as they are.
 */
export type DataKey = {
  /** Names the key that seals; null for none. */
  readonly id: Buffer | null
  /** `row` names where it is stored. */
  readonly seal: (key: Uint8Array, row: string) => Buffer
  /** Throws a ConfigFault for what was sealed under a key that is not there. */
  readonly open: (stored: Uint8Array, row: string) => Buffer
}

/** Length of a data key. */
export const DATA_KEY_BYTES = 32

const MAGIC = Buffer.from('pdk1')
const ID_BYTES = 8
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = MAGIC.length + ID_BYTES + NONCE_BYTES
const ALGORITHM = 'aes-256-gcm'
const SEALED_TEXT = 'sealed.'
/** In front of a plain text that begins as a sealed one does: no seal has a second dot. */
const PLAIN_TEXT = 'sealed.plain.'

const idOf = (key: Uint8Array): Buffer =>
  createHash('sha256').update('placard data key').update(key).digest().subarray(0, ID_BYTES)

/** The first key seals, all open. */
export function createDataKey(keys: readonly Uint8Array[]): DataKey {
  const named = keys.map((key) => ({ id: idOf(key), key }))
  const [first] = named
  return {
    id: first?.id ?? null,

    seal(key, row) {
      if (first === undefined) return Buffer.from(key)
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, first.key, nonce).setAAD(Buffer.from(row))
      const sealed = Buffer.concat([cipher.update(key), cipher.final()])
      return Buffer.concat([MAGIC, first.id, nonce, sealed, cipher.getAuthTag()])
    },

    open(stored, row) {
      const bytes = Buffer.from(stored)
      if (!isSealed(bytes)) return bytes
      const id = bytes.subarray(MAGIC.length, MAGIC.length + ID_BYTES)
      const found = named.find((one) => one.id.equals(id))
      if (found === undefined)
        throw new ConfigFault(
          `PLACARD_DATA_KEY: ${row} is sealed under the key ${id.toString('hex')}, which is not among the ${named.length} given`,
        )
      const nonce = bytes.subarray(MAGIC.length + ID_BYTES, HEAD_BYTES)
      const cipher = createDecipheriv(ALGORITHM, found.key, nonce).setAAD(Buffer.from(row)).setAuthTag(bytes.subarray(-TAG_BYTES))
      return Buffer.concat([cipher.update(bytes.subarray(HEAD_BYTES, -TAG_BYTES)), cipher.final()])
    },
  }
}

/** Keys are 32 bytes as they are: what is longer and begins so is sealed. */
const isSealed = (bytes: Buffer): boolean =>
  bytes.length > HEAD_BYTES + TAG_BYTES && bytes.subarray(0, MAGIC.length).equals(MAGIC)

/** A secret that is a text, as stored. */
export const sealText = ({ id, seal }: DataKey, text: string, row: string): string =>
  id === null ? text : SEALED_TEXT + seal(Buffer.from(text), row).toString('base64url')

export const openText = ({ open }: DataKey, stored: string, row: string): string =>
  stored.startsWith(SEALED_TEXT) ? open(Buffer.from(stored.slice(SEALED_TEXT.length), 'base64url'), row).toString() : stored

/** How a key begins that the present key sealed; null without a key. Its 12 bytes end where characters of base64 do. */
export const keyMarkOf = ({ id }: DataKey): Buffer | null => (id === null ? null : Buffer.concat([MAGIC, id]))

/** How a text begins that the present key sealed; null without a key. */
export function textMarkOf(dataKey: DataKey): string | null {
  const mark = keyMarkOf(dataKey)
  return mark === null ? null : SEALED_TEXT + mark.toString('base64url')
}

/**
 * Seals texts that people enter, which may begin as a sealed one does (fine print 94). What stood in the database before it knew
 * sealed columns is escaped by migration 0580.
 */
export const columnSealOf = (dataKey: DataKey): ColumnSeal => ({
  seal: (text, place) =>
    dataKey.id === null && text.startsWith(SEALED_TEXT) ? PLAIN_TEXT + text : sealText(dataKey, text, place),
  open: (stored, place) => (stored.startsWith(PLAIN_TEXT) ? stored.slice(PLAIN_TEXT.length) : openText(dataKey, stored, place)),
})

export const ROWS = {
  secret: (name: string) => `app.secrets ${name}`,
  signing: (kid: string) => `app.signing_keys ${kid}`,
  person: (id: string) => `identity.person_keys ${id}`,
} as const
