import { createHash } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { HASH_BYTES } from '#commands/audience/audience-port'
import { createIdentifierHash } from '#commands/audience/identifier-hash'
import { placeIn } from '#commands/audience/members'
import { hashedText, hashedVisitor } from '#domain/audience/identifiers'
import { NOW } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import { phoneDigitsOf } from '../identity/people.ts'

/**
 * Takes the person's identifiers out of every audience, of every white-label: the phone number, which must still be in the record, and the
 * person's id, which advertisers may use as that of a visitor. Files on their way to an audience are among them.
 */
export async function removeFromAudiences(tx: Transaction<Db>, id: string): Promise<void> {
  const phone = await phoneDigitsOf(tx, id)
  const texts = [hashedVisitor(id), ...(phone === null ? [] : [hashedText('phone', phone), hashedVisitor(phone)])]
  const keys = await tx.selectFrom('app.audience_keys').select('key').execute()
  for (const { key } of keys) {
    const hashOf = createIdentifierHash(key)
    for (const text of texts) await removeMember(tx, Buffer.from(hashOf(text), 'latin1').subarray(0, HASH_BYTES))
  }
}

async function removeMember(tx: Transaction<Db>, hash: Buffer): Promise<void> {
  const bucket = hash[0] ?? 0
  // A member may straddle two hashes by chance: its place decides.
  const places = await tx
    .selectFrom('app.audience_members')
    .select(['audience_id', 'version', 'members'])
    .where('bucket', '=', bucket)
    .where((eb) => sql<boolean>`position(${hash} in ${eb.ref('members')}) > 0`)
    .forUpdate()
    .execute()
  for (const { audience_id, version, members } of places) {
    const at = placeIn(members, hash)
    if (at === -1) continue
    const left = Buffer.concat([members.subarray(0, at), members.subarray(at + HASH_BYTES)])
    await tx
      .updateTable('app.audience_members')
      .set({ members: left })
      .where('audience_id', '=', audience_id)
      .where('version', '=', version)
      .where('bucket', '=', bucket)
      .execute()
    // Bidders ask by the tag: any other one makes them download the members again.
    const etag = createHash('sha256').update(left).update(String(bucket)).digest('base64url').slice(0, 22)
    await tx
      .updateTable('app.audience_sets')
      .set((eb) => ({ members: eb('members', '-', 1), etag, changed_at: NOW }))
      .where('audience_id', '=', audience_id)
      .where('version', '=', version)
      .execute()
  }
  const parts = await tx
    .selectFrom('app.audience_parts')
    .select(['upload_id', 'part', 'members'])
    .where('bucket', '=', bucket)
    .where((eb) => sql<boolean>`position(${hash} in ${eb.ref('members')}) > 0`)
    .forUpdate()
    .execute()
  for (const { upload_id, part, members } of parts) {
    const kept: Buffer[] = []
    for (let at = 0; at < members.length; at += HASH_BYTES) {
      const one = members.subarray(at, at + HASH_BYTES)
      if (!one.equals(hash)) kept.push(one)
    }
    await tx
      .updateTable('app.audience_parts')
      .set({ members: Buffer.concat(kept) })
      .where('upload_id', '=', upload_id)
      .where('part', '=', part)
      .where('bucket', '=', bucket)
      .execute()
  }
}
