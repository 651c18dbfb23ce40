import { useTranslation } from 'react-i18next'
import { ADVERTISER_ROLES, ROLES, rolesWith, type Role } from '#domain/kit/access'

const ownsAccount = (role: Role): boolean => ADVERTISER_ROLES.includes(role) && rolesWith('team.manage').includes(role)

/** Returns the name of a role among the people of an account: its owner is one of them. */
export function useRoleName() {
  const { t } = useTranslation(['team', 'common'])
  return (role: Role): string => (ownsAccount(role) ? t('team:role.owner') : t(`common:role.${role}`))
}

/** Returns the names of roles, in the order of the access table, joined by commas. */
export function useRoleNames() {
  const roleName = useRoleName()
  return (roles: readonly Role[]): string =>
    ROLES.filter((role) => roles.includes(role))
      .map(roleName)
      .join(', ')
}

/** Returns the name of a person; their address where there is none. */
export const nameOf = ({
  first_name,
  last_name,
  email,
}: {
  readonly first_name: string
  readonly last_name: string
  readonly email: string
}) => `${first_name} ${last_name}`.trim() || email
