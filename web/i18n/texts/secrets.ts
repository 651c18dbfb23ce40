import secrets from '../locales/en/secrets.json'
import { addEnglish } from '../add-texts.ts'

// Texts of new passwords, and of the lists of keys and credentials.
addEnglish({ secrets })
