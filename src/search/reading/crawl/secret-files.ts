import { expression, wordSet } from '#base';
import path from 'node:path';

/** Files that are made to hold keys, passwords or tokens, as the lists of scanners for secrets name them. */
const NAMES = wordSet(`
  .netrc _netrc .pgpass .my.cnf .mylogin.cnf .npmrc .pypirc .env .git-credentials .htpasswd .htdigest .s3cfg .boto
  .dockercfg .dockerconfigjson .vault-token .vault-pass .vault_pass kubeconfig kubeconfig.yaml kubeconfig.yml
  id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk
  secrets.yaml secrets.yml secrets.json secrets.toml credentials.json application_default_credentials.json
`);
const EXTENSIONS = wordSet('pem key ppk p12 pfx pkcs12 jks keystore kdbx psafe3 tfstate kubeconfig');
/** What is an ordinary name elsewhere, with the folder in which a program keeps its keys in it. */
const IN_FOLDERS = wordSet(`
  .aws/credentials .docker/config.json .kube/config .cargo/credentials .cargo/credentials.toml .gem/credentials
`);
/** `terraform.tfstate.backup`, `.env.local`, `prod.env`, `my.auto.tfvars`, `our-service-account-1.json`. */
const PATTERN = expression('')`
  \.tfstate\.|^\.env\.|\.env$|\.tfvars(?:\.json)?$|service[-_]?account(?:[-_]?(?:key|\d+))?\.json$|^client_secret.*\.json$
`;
/** Such a file that is shown to everybody: `sample.env`, `service-account.template.json`. */
const SAMPLE = /(?<![a-z])(?:examples?|samples?|templates?|dist|schemas?)(?![a-z])/;
/** Of these the last word counts: `.env.local.example` is one, `.env.example.local` is made of it. */
const ENV_SAMPLE = /\.(?:example|sample|template|dist|schema)$/;
/** Charts, guides and translations have the like: `chart/templates/secrets.yaml`, `locales/en/secrets.json`. */
const MAY_BE_FORM = /^(?:secrets|credentials)\.|\.tfvars(?:\.json)?$/;
const FOLDER_OF_FORMS = /[\\/](?:(?:templates?|examples?|samples?)|(?:locales?|i18n)(?:[\\/][a-z_-]{2,12})?)$/;
/** A private key may be called anything there. */
const SSH = `${path.sep}.ssh${path.sep}`;
const NO_KEY_OF_SSH = /^(?:config|known_hosts(?:\.old)?|authorized_keys|.*\.(?:pub|conf|md))$/;

const isSample = (small: string): boolean => (small.startsWith('.env.') ? ENV_SAMPLE : SAMPLE).test(small);

/** By its name, and the folder that it lies in: whether nothing of a file should be shown or sent. */
export function mayHoldSecrets(absolute: string, name: string, extension: string): boolean {
  const small = name.toLowerCase();
  const folder = path.dirname(absolute).toLowerCase();
  const isNamed = NAMES.has(small) || (PATTERN.test(small) && !isSample(small));
  return (
    (isNamed && !(MAY_BE_FORM.test(small) && FOLDER_OF_FORMS.test(folder))) ||
    EXTENSIONS.has(extension) ||
    (absolute.includes(SSH) && !NO_KEY_OF_SSH.test(small)) ||
    IN_FOLDERS.has(`${path.basename(folder)}/${small}`)
  );
}
