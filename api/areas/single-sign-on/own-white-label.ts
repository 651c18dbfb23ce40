import { refused } from '#commands/refused'
import type { WhiteLabels } from '#commands/white-label/white-labels'
import { mayEver, reachOf } from '#domain/kit/access'
import type { Call } from '#api/http/call'
import { personOf } from '#api/http/person'

/** The white-label of a call about its settings; one out of the caller's reach is as unknown as one that does not exist. */
export function createLabelOf(whiteLabels: Pick<WhiteLabels, 'find'>) {
  return (call: Pick<Call, 'identity'> & { readonly params: { readonly id: string } }): string => {
    const actor = personOf(call)
    const { id } = call.params
    if (!mayEver(actor, 'whitelabel.customise')) throw refused(3)
    if (whiteLabels.find(id) === null || (reachOf(actor, 'whitelabel.customise') !== 'all' && id !== actor.whitelabelId))
      throw refused(170)
    return id
  }
}
