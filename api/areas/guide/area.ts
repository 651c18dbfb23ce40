import { createGuides } from '#platform/guide/guides'
import { removeRowsOf } from '#platform/identity/rows-of'
import { closeGuide, GUIDE_ENDPOINTS, readGuide } from '#contract/guide'
import { area } from '../area.ts'
import { homeOrChosen } from '#api/http/caller'
import { personOf } from '#api/http/person'
import { register } from '#api/http/register'

export const guide = area({
  name: 'guide',
  summary: 'The first steps of a new account',
  endpoints: GUIDE_ENDPOINTS,
  uses: ['accounts', 'db'],
  tables: ['app.closed_guides'],
  erase: { within: removeRowsOf('app.closed_guides') },
  register(app, { accounts, db, guards }) {
    const guides = createGuides(db)
    register(app, guards, readGuide, async (call) => {
      const actor = personOf(call)
      const spaceId = homeOrChosen(actor)
      const account = await accounts.find(spaceId)
      const steps = await guides.stepsOf(actor.userId, spaceId)
      return {
        ...steps,
        funded: steps.delivered || (account !== null && account.balance + account.credit_limit > 0),
      }
    })

    register(app, guards, closeGuide, async (call) => {
      await guides.close(personOf(call).userId)
      return {}
    })
  },
})
