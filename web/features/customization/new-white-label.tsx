import { isEmail } from '#domain/kit/validators'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { TextField } from '@/components/form/fields'
import { markSaved, ShortForm, showFaults, useShortForm } from '@/components/form/short-form'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { errorToast } from '@/i18n/error-toast'
import { toast } from '@/lib/toast'
import { mayClose } from '@/lib/unsaved'
import { customizationMutations } from './customization-queries.ts'

type Values = { readonly id: string; readonly name: string; readonly owner_email: string }
type NewWhiteLabelProps = { readonly open: boolean; readonly onClose: () => void; readonly onCreated: (id: string) => void }

/** A dialog for the id, the name and the first owner of a new white-label; everything else is customised after it. */
export function NewWhiteLabel({ open, onClose, onCreated }: NewWhiteLabelProps) {
  const { t } = useTranslation('customization')
  const close = async () => {
    if (await mayClose()) onClose()
  }
  return (
    <Dialog open={open} onOpenChange={(next) => !next && void close()}>
      <DialogPanel title={t('new.title')} description={t('new.text')}>
        <Fields onCancel={onClose} onCreated={onCreated} />
      </DialogPanel>
    </Dialog>
  )
}

function Fields({ onCancel, onCreated }: { readonly onCancel: () => void; readonly onCreated: (id: string) => void }) {
  const { t } = useTranslation(['customization', 'common', 'faults'])
  const create = useMutation(customizationMutations.create())
  const form = useShortForm<Values>({ id: '', name: '', owner_email: '' }, ({ owner_email }) => ({
    owner_email: isEmail(owner_email.trim()) ? null : t('faults:emailAddress'),
  }))
  const submit = ({ id: typed, name: typedName, owner_email }: Values) => {
    if (create.isPending) return
    create.mutate(
      { id: typed.trim().toLowerCase(), name: typedName.trim(), owner_email: owner_email.trim() },
      {
        onSuccess: ({ id, name }) => {
          toast.success(t('customization:new.done', { name, email: owner_email.trim() }))
          markSaved(form)
          onCancel()
          onCreated(id)
        },
        onError: (error) => {
          if (!showFaults(form, error)) errorToast(error)
        },
      },
    )
  }
  return (
    <ShortForm form={form} onSubmit={submit}>
      <DialogPanelBody>
        <TextField<keyof Values>
          name="id"
          label={t('customization:new.id')}
          help={t('customization:new.idHelp')}
          maxLength={30}
          autoCapitalize="none"
          spellCheck={false}
        />
        <TextField<keyof Values> name="name" label={t('customization:field.name')} maxLength={300} />
        <TextField<keyof Values>
          name="owner_email"
          label={t('customization:new.owner')}
          help={t('customization:new.ownerHelp')}
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={300}
        />
      </DialogPanelBody>
      <DialogPanelFooter>
        <Button variant="outline" onClick={onCancel}>
          {t('common:cancel')}
        </Button>
        <Button type="submit" aria-disabled={create.isPending}>
          {t('customization:new.create')}
        </Button>
      </DialogPanelFooter>
    </ShortForm>
  )
}
