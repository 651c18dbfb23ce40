import { useTranslation } from 'react-i18next'
import { ROLES, type Role } from '#domain/kit/access'

/** Returns the names of roles, in the order of the access table, joined by commas. */
export function useRoleNames() {
  const { t } = useTranslation()
  return (roles: readonly Role[]): string =>
    ROLES.filter((role) => roles.includes(role))
      .map((role) => t(`role.${role}`))
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
