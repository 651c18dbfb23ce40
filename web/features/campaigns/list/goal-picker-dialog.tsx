import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { DialogPanelBody, DialogPanel } from '@/components/dialog-panel'
import { Dialog } from '@/components/ui/dialog'
import { objectives } from '@/app/actions'

type GoalPickerDialogProps = {
  readonly open: boolean
  readonly audio: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** Selects the objective before the form opens, because it decides which fields the form has. */
export function GoalPickerDialog({ open, audio, onOpenChange }: GoalPickerDialogProps) {
  const { t } = useTranslation('campaigns')
  const navigate = useNavigate()
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogPanel title={t('goalPicker.title')} description={t('goalPicker.text')} className="w-[560px]">
        <DialogPanelBody className="gap-2 pb-6">
          {objectives({ audio }).map(({ key, type, Icon }) => (
            <div
              key={key}
              className="border-border hover:border-primary-ink hover:bg-primary-tint rounded-lg relative flex items-center gap-4 border p-4 transition-colors"
            >
              <span className="bg-primary-tint text-primary-ink grid size-10 shrink-0 place-items-center rounded-full">
                <Icon aria-hidden className="size-5" />
              </span>
              <div>
                {/* Reacts to a click anywhere on its card. */}
                <button
                  type="button"
                  aria-describedby={`goal-${key}`}
                  onClick={() => void navigate({ to: '/campaign/create', search: { tab: 'basicInfo', type } })}
                  className="block font-semibold outline-none after:absolute after:inset-0 after:rounded-lg focus-visible:after:outline-2 focus-visible:after:outline-primary-ink"
                >
                  {t(`goalPicker.${key}`)}
                </button>
                <p id={`goal-${key}`} className="text-muted-foreground">
                  {t(`goalPicker.${key}Text`)}
                </p>
              </div>
            </div>
          ))}
        </DialogPanelBody>
      </DialogPanel>
    </Dialog>
  )
}
