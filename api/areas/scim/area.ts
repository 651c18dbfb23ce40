import { createTeam } from '#commands/identity/team'
import { createProvisioning } from '#commands/scim/provisioning'
import { SCIM_ENDPOINTS } from '#contract/scim'
import { createProfiles } from '#platform/identity/profiles'
import { createTeamStore } from '#platform/identity/team-store'
import { createScimPeople } from '#platform/scim/scim-people'
import { makersOf } from '#platform/identity/makers'
import { houseOf } from '#projections/account/accounts'
import { area } from '../area.ts'
import { registerScim } from './scim-routes.ts'
import { registerTokenRoutes } from './token-routes.ts'

export const scim = area({
  name: 'scim',
  summary: 'SCIM 2.0: a directory creates and removes people of the staff of its white-label, and the tokens for it',
  endpoints: SCIM_ENDPOINTS,
  uses: [
    'accounts',
    'commands.accounts',
    'db',
    'links',
    'people',
    'scimTokens',
    'secondPerson',
    'security',
    'signOn',
    'whiteLabels',
  ],
  tables: ['identity.scim_people', 'identity.scim_tokens'],
  register(app, kit) {
    const { accounts, commands, db, derivedId, newId, now, people, signOn } = kit
    const profiles = createProfiles(db)
    const provisioning = createProvisioning({
      team: createTeam({ accounts: commands.accounts, store: createTeamStore(db), newId, derivedId, now }),
      people: createScimPeople(db, now),
      secondKey: kit.secondPerson,
      makersOf: ({ token, domain }) =>
        makersOf(db, { whitelabelId: token.whitelabelId, tokenId: token.id, providerId: null, domain }),
      async houseOf(label) {
        const id = await houseOf(db, label)
        const account = id === null ? null : await accounts.opened(id)
        return account === null ? null : { spaceId: account.space_id, whitelabelId: label, name: account.name }
      },
      async domainsOf({ spaceId, whitelabelId }) {
        const [domains, providers] = await Promise.all([
          signOn.providers.domains(whitelabelId),
          signOn.providers.list(whitelabelId),
        ])
        return domains
          .filter(({ verified_at }) => verified_at !== null)
          .map(({ domain, provider_id }) => {
            const provider = providers.find(({ id }) => id === provider_id)
            return { domain, roles: provider?.defaultSpaceId === spaceId ? provider.defaultRoles : [] }
          })
      },
      ofAddress: people.ofAddress,
      rename: (id, names) => profiles.save(id, names),
      newId,
    })
    registerTokenRoutes(app, kit)
    registerScim(app, kit, provisioning)
  },
})
