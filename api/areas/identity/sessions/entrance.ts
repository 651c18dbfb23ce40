import { UAParser } from 'ua-parser-js'
import { isOutside } from '#api/areas/white-label/white-labels'
import { actorOf, type PersonRecord } from '#commands/identity/person'
import { outsideNetworks } from '#commands/refused'
import type { Client, Signed } from '#platform/identity/sessions'
import type { Needs } from '#api/areas/services'

type Kit = Needs<'db' | 'fingerprint' | 'newId' | 'now' | 'people' | 'queueMail' | 'security' | 'sessions' | 'whiteLabels'>

type Details = { readonly by?: 'passkey' | 'single-sign-on'; readonly provider?: string }

/** How a session begins, whatever proved who its user is; 3 where staff may not work (fine print 81). */
export function createEntrance(kit: Kit) {
  const { people, sessions, security, fingerprint } = kit

  /** A notice to the user's address: of a sign-in from a device that was not seen before. */
  function mailNewDevice(person: PersonRecord, { userAgent }: Client): Promise<void> {
    const id = kit.newId()
    const data = { at: kit.now(), device: deviceOf(userAgent) }
    return kit.queueMail(kit.db, {
      id,
      whitelabelId: person.whitelabel_id,
      to: { personId: person.id },
      template: 'new-sign-in',
      data,
    })
  }

  return {
    /** A session for a person whose credentials were right; `id` is the session's. */
    enter: async (
      person: PersonRecord,
      client: Client,
      { details = {}, id }: { readonly details?: Details; readonly id?: string } = {},
    ): Promise<Signed> => {
      const { address, network, userAgent } = client
      if (isOutside(kit.whiteLabels, actorOf(person, person.home_space_id), address)) {
        security.signInFailed(person.whitelabel_id, person.email, network)
        throw outsideNetworks()
      }
      await people.rememberNetwork(person.id, fingerprint(`network ${network}`))
      const signed = await sessions.signIn(person, client, id === undefined ? {} : { id })
      await security.signedIn(person, network, details)
      if (await people.isNewDevice(person.id, fingerprint(`device ${deviceOf(userAgent)}`))) await mailNewDevice(person, client)
      return signed
    },
  }
}

/** The browser and system of a User-Agent, without versions: an update is no new device. */
function deviceOf(userAgent: string): string {
  const { browser, os } = new UAParser(userAgent).getResult()
  return [browser.name ?? 'Unknown browser', os.name].filter(Boolean).join(', ')
}
