import {
  Crown,
  KeyRound,
  LogOut,
  MailMinus,
  ShieldOff,
  Send,
  Unlink,
  UserRoundCheck,
  UserRoundCog,
  UserRoundX,
  type LucideIcon,
} from 'lucide-react'
import type { TeamMember } from '#contract/team'
import { useTranslation } from 'react-i18next'
import { MenuPanel } from '@/components/menu-panel'
import { DropdownMenuItem } from '@/components/ui/dropdown-menu'
import type { Popup } from '@/lib/use-popup'
import { nameOf } from './role-names.ts'
import type { TeamAction } from './team-offers.ts'

export type PersonMenuProps = {
  readonly person: TeamMember
  readonly offers: readonly TeamAction[]
  readonly onChoose: (action: TeamAction) => void
}

const ICONS: Readonly<Record<TeamAction, LucideIcon>> = {
  resend: Send,
  withdraw: MailMinus,
  roles: UserRoundCog,
  rights: KeyRound,
  handOver: Crown,
  reactivate: UserRoundCheck,
  signOut: LogOut,
  lostFactor: ShieldOff,
  freeLink: Unlink,
  deactivate: UserRoundX,
}

/** The actions on a person. */
export function PersonMenuItems({ person, offers, onChoose, popup }: PersonMenuProps & { readonly popup: Popup }) {
  const { t } = useTranslation('team')
  return (
    <MenuPanel popup={popup} label={t('menu', { name: nameOf(person) })} align="end">
      {offers.map((action) => {
        const Icon = ICONS[action]
        const ends = action === 'deactivate' || action === 'withdraw'
        return (
          <DropdownMenuItem
            key={action}
            data-action={action}
            variant={ends ? 'destructive' : 'default'}
            onSelect={() => onChoose(action)}
          >
            <Icon aria-hidden />
            {t(`actions.${action}`)}
          </DropdownMenuItem>
        )
      })}
    </MenuPanel>
  )
}
