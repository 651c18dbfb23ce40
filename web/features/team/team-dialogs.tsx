import { useTranslation } from 'react-i18next'
import type { TeamMember } from '#contract/team'
import { ConfirmDialogContent } from '@/components/confirm-dialog-content'
import { useMe } from '@/session/session-queries'
import { InviteDialog } from './invite-dialog.tsx'
import { LostFactorDialog } from './lost-factor-dialog.tsx'
import { RightsDialog } from './rights-dialog.tsx'
import { RoleDialog } from './role-dialog.tsx'
import { nameOf, useRoleNames } from './role-names.ts'
import { rightsFor, rolesAfterHandOver, rolesFor } from './team-offers.ts'
import type { Team } from './team-queries.ts'
import type { SentAction } from './use-person-action.ts'

/** Actions that ask before they are sent. */
export type AskedAction = Extract<SentAction, 'withdraw' | 'handOver' | 'freeLink' | 'signOut' | 'deactivate'>
export type TeamDialog =
  | { readonly kind: 'invite' }
  | { readonly kind: 'roles' | 'rights' | 'lostFactor' | AskedAction; readonly person: TeamMember }

type TeamDialogsProps = {
  readonly spaceId: string
  readonly team: Team
  readonly dialog: TeamDialog
  readonly onConfirm: (action: AskedAction, person: TeamMember) => void
  readonly onClose: () => void
}

/** The dialogs of a team: the invitation, another role, and the questions before an action. */
export function TeamDialogs({ spaceId, team, dialog, onConfirm, onClose }: TeamDialogsProps) {
  const { t } = useTranslation(['team', 'common'])
  const me = useMe()
  const roleNames = useRoleNames()
  if (dialog.kind === 'invite') return <InviteDialog spaceId={spaceId} roles={team.roles} onClose={onClose} />
  const { kind, person } = dialog
  if (kind === 'roles') {
    const possible = rolesFor(me, team, person)
    const roles = team.roles.filter((role) => possible.includes(role) || person.roles.includes(role))
    return <RoleDialog spaceId={spaceId} person={person} roles={roles} onClose={onClose} />
  }
  if (kind === 'rights') {
    // The dialog stays open, and shows what each change made of the person.
    const present = team.people.find(({ id }) => id === person.id) ?? person
    return <RightsDialog spaceId={spaceId} person={present} rights={rightsFor(me, team, present)} onClose={onClose} />
  }
  if (kind === 'lostFactor') return <LostFactorDialog spaceId={spaceId} person={person} onClose={onClose} />
  return (
    <ConfirmDialogContent
      open
      title={t(`team:${kind}.title`, { name: nameOf(person) })}
      text={t(`team:${kind}.text`, {
        name: nameOf(person),
        email: person.email,
        roles: roleNames(rolesAfterHandOver(me, team, person)),
      })}
      confirm={t(`team:${kind}.confirm`)}
      cancel={t('common:cancel')}
      tone={kind === 'handOver' ? 'default' : 'destructive'}
      onConfirm={() => onConfirm(kind, person)}
      onCancel={onClose}
    />
  )
}
