import { Ellipsis } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { usePopup } from '@/lib/use-popup'
import { nameOf } from './role-names.ts'
import type { PersonMenuProps } from './person-menu-items.tsx'

const load = () => import('./person-menu-items.tsx')
const PersonMenuItems = lazy(async () => ({ default: (await load()).PersonMenuItems }))

export function PersonMenu(props: PersonMenuProps) {
  const { t } = useTranslation('team')
  const { shown, trigger, popup } = usePopup('menu', load)
  return (
    <span className="relative inline-flex">
      <Button data-focus="menu" variant="ghost" size="icon" aria-label={t('menu', { name: nameOf(props.person) })} {...trigger}>
        <Ellipsis aria-hidden />
      </Button>
      {shown && (
        <Suspense>
          <PersonMenuItems {...props} popup={popup} />
        </Suspense>
      )}
    </span>
  )
}
