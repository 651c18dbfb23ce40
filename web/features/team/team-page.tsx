import { useTranslation } from 'react-i18next'
import { ROLE_APPROVALS } from '#contract/approvals'
import { Page } from '@/components/page/page'
import { Approvals } from '@/session/approvals/approvals'
import { can, canEver } from '@/session/can'
import { RenameAccountButton } from '@/session/rename-account-button'
import { useMe } from '@/session/session-queries'
import { useRoleNames } from './role-names.ts'
import { TeamPeople } from './team-people.tsx'
import '@/i18n/texts/team'

/** `/team`: the people of the user's own account; for white-labels, their staff. */
export function TeamPage() {
  const { t } = useTranslation('team')
  const me = useMe()
  const isStaff = canEver(me, 'page.staff')
  const roleNames = useRoleNames()
  return (
    <TeamPeople
      spaceId={me.home_space_id}
      renderFrame={(invite, people) => (
        <Page
          title={t(isStaff ? 'titleStaff' : 'title')}
          actions={
            <>
              {!isStaff && <RenameAccountButton spaceId={me.space_id} name={me.space_name} />}
              {invite}
            </>
          }
        >
          <p className="text-muted-foreground max-w-3xl text-pretty">{t(isStaff ? 'leadStaff' : 'lead')}</p>
          {isStaff && can(me, 'balance.credit') && <Approvals kinds={ROLE_APPROVALS} roleNames={roleNames} />}
          {people}
        </Page>
      )}
    />
  )
}
