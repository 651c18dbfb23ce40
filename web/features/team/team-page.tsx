import { useTranslation } from 'react-i18next'
import { Page } from '@/components/page/page'
import { canEver } from '@/session/can'
import { useMe } from '@/session/session-queries'
import { TeamPeople } from './team-people.tsx'
import '@/i18n/texts/team'

/** `/team`: the people of the user's own account; for white-labels, their staff. */
export function TeamPage() {
  const { t } = useTranslation('team')
  const me = useMe()
  const isStaff = canEver(me, 'page.staff')
  return (
    <TeamPeople
      spaceId={me.home_space_id}
      renderFrame={(invite, people) => (
        <Page title={t(isStaff ? 'titleStaff' : 'title')} actions={invite ?? undefined}>
          <p className="text-muted-foreground max-w-3xl text-pretty">{t(isStaff ? 'leadStaff' : 'lead')}</p>
          {people}
        </Page>
      )}
    />
  )
}
