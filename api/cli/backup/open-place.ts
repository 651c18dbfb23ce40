import { readFile } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { createFolderPlace } from '#platform/backup/folder-place'
import type { Place } from '#platform/backup/place'
import { createS3Place } from '#platform/backup/s3-place'
import { createSealedPlace, sealedFor, sealIn, type AgeKeys } from '#platform/backup/sealed-place'
import { MANIFEST } from './manifest.ts'

const isS3 = (address: string): boolean => address.startsWith('s3:')

/** The place of an address: a folder, or a URL of S3. Throws with one line for a URL that is malformed. */
const placeAt = async (address: string): Promise<Place> =>
  isS3(address) ? createS3Place(address) : createFolderPlace(resolve(address))

/** Where backups go. With recipients, age encrypts all that is written. */
export async function openPlace(address: string, recipients: readonly string[]): Promise<Place> {
  const place = await placeAt(address)
  return recipients.length === 0 ? place : createSealedPlace(place, sealedFor(recipients), { recipients, identities: [] })
}

/** Where a backup lies, and its name there. With the identities of a file, age decrypts what it encrypted. */
export async function openBackup(
  address: string,
  identityFile: string | undefined,
): Promise<{ readonly place: Place; readonly backup: string }> {
  const [, around = address, name = '', query = ''] = isS3(address) ? (/^(.*?)\/?([^/?]+)\/?(\?.*)?$/.exec(address) ?? []) : []
  const backup = isS3(address) ? name : basename(resolve(address))
  const place = await placeAt(isS3(address) ? `${around}${query}` : dirname(resolve(address)))
  const names = [...(await place.names(backup))]
  const seal = names.map((name) => sealIn(name, `${backup}/${MANIFEST}`)).find((found) => found !== null) ?? null
  if (seal === null) return { place, backup }
  if (identityFile === undefined) throw new Error('this backup is encrypted: name the file of an age identity with --identity')
  const identities = await identitiesIn(identityFile)
  return { place: await createSealedPlace(place, seal, { recipients: [], identities }), backup }
}

/** The identities of a file as `age-keygen` writes it. */
async function identitiesIn(path: string): Promise<AgeKeys['identities']> {
  const lines = (await readFile(path, 'utf8')).split('\n').map((line) => line.trim())
  const identities = lines.filter((line) => line !== '' && !line.startsWith('#'))
  if (identities.length === 0) throw new Error(`${path} holds no identity`)
  return identities
}
