import { createHmac } from 'node:crypto'
import { HASH_BYTES } from '#commands/audience/audience-port'
import { placeIn } from '#commands/audience/members'
import { hashedText } from '#domain/audience/identifiers'
import type { Selection } from '#domain/campaign/content/content'
import { simulatedDevice } from '#domain/delivery/simulated-device'
import { anyOf, both, emptySet, everybody, PANEL_SIZE, without, type People } from '#domain/estimates/panel'
import type { Deliverables, ProductClient } from './product-client.ts'

type Served = Deliverables[number]['audiences'][number]

/**
 * People of the panel who are members of audiences, as a bidder finds out: it hashes the device of each person with the white-label's
 * key, and looks for the hash among the members. Sets are downloaded once for each of their ETags.
 */
export function createSegments(client: Pick<ProductClient, 'audienceKeys' | 'audienceMembers'>) {
  const panels = new Map<string, Promise<readonly Buffer[]>>()
  const sets = new Map<string, { readonly etag: string; readonly people: Promise<People> }>()

  /** The hash of each person of the panel, under the key of a white-label. */
  const panelOf = (whitelabelId: string): Promise<readonly Buffer[]> => {
    const known = panels.get(whitelabelId)
    if (known !== undefined) return known
    const made = client.audienceKeys().then(({ keys }) => {
      const key = Buffer.from(keys.find((one) => one.whitelabel_id === whitelabelId)?.key ?? '', 'base64')
      return Array.from({ length: PANEL_SIZE }, (_, person) =>
        createHmac('sha256', key)
          .update(hashedText('device', simulatedDevice(person)))
          .digest()
          .subarray(0, HASH_BYTES),
      )
    })
    panels.set(whitelabelId, made)
    return made
  }

  async function membersOf({ id, version, whitelabel_id: whitelabelId }: Served): Promise<People> {
    const [panel, members] = await Promise.all([panelOf(whitelabelId), client.audienceMembers(id, version)])
    const people = emptySet()
    for (const [person, hash] of panel.entries())
      if (placeIn(members, hash) !== -1) people[person >>> 5] = (people[person >>> 5] ?? 0) | (1 << (person & 31))
    return people
  }

  function peopleOf(served: Served): Promise<People> {
    const name = `${served.id}/${served.version}`
    const known = sets.get(name)
    if (known?.etag === served.etag) return known.people
    const people = membersOf(served)
    sets.set(name, { etag: served.etag, people })
    return people
  }

  /** Any of includeAny, every one of include, none of exclude. A missing audience includes no one; a missing excluded one, everybody. */
  return async ({ includeAny, include, exclude }: Selection, served: readonly Served[]): Promise<People> => {
    const found = new Map(await Promise.all(served.map(async (one) => [one.id, await peopleOf(one)] as const)))
    const of = (id: string) => found.get(id) ?? emptySet()
    const every = include.map(of).reduce(both, anyOf(includeAny.map(of), everybody))
    return exclude.every((id) => found.has(id)) ? exclude.map(of).reduce(without, every) : emptySet()
  }
}
export type SegmentsOf = ReturnType<typeof createSegments>
