import { availableParallelism } from 'node:os';
import { isRemote, wordList } from '#base';
import type { IndexConfig } from '../indexer/index-service.ts';

/** What a child is started for. */
type ChildPurpose = Pick<IndexConfig, 'indexUri' | 'embedder'>;

/** Variables that any of our processes may see: where things lie, the language, the clock. None of them is a key. */
const ALWAYS = [
  ...wordList(`
    PATH HOME LANG LANGUAGE TZ TMPDIR TEMP TMP XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME
    XDG_RUNTIME_DIR
  `),
  // Windows: without SystemRoot nothing that touches the network or random numbers works.
  ...wordList(`
    SYSTEMROOT WINDIR SYSTEMDRIVE USERPROFILE HOMEDRIVE HOMEPATH USERNAME APPDATA LOCALAPPDATA PROGRAMDATA
    PROGRAMFILES COMSPEC PATHEXT NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE
  `),
  // Where the libraries of native code are found on systems that keep them elsewhere.
  ...wordList(`
    LD_LIBRARY_PATH DYLD_LIBRARY_PATH DYLD_FALLBACK_LIBRARY_PATH NIX_LD NIX_LD_LIBRARY_PATH
  `),
  // How many threads native code starts, and what it tells.
  ...wordList(`
    OMP_NUM_THREADS RAYON_NUM_THREADS TOKIO_WORKER_THREADS LANCE_CPU_THREADS LANCE_IO_THREADS LANCE_BYPASS_SPILLING
    ELECTRON_RUN_AS_NODE LANCEDB_LOG RUST_BACKTRACE
  `),
];

/**
 * Whatever stands in the environment: from 1.29 on ONNX Runtime tells Microsoft what it is used for, unless it finds
 * this when it is loaded.
 */
const TOLD: NodeJS.ProcessEnv = { ORT_DISABLE_TELEMETRY: '1' };

/** For children that reach another machine: an endpoint for embeddings, or an index in object storage. */
const NETWORK = wordList(`
  NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY NODE_USE_ENV_PROXY
`);

/**
 * By the address of the index, what LanceDB takes its credentials from. Each is named: what merely begins alike may be
 * somebody else's secret.
 */
const STORAGE: readonly { schemes: readonly string[]; variables: readonly string[] }[] = [
  {
    schemes: ['s3:', 's3+ddb:'],
    variables: wordList(`
      AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_REGION AWS_DEFAULT_REGION AWS_PROFILE AWS_ENDPOINT
      AWS_ENDPOINT_URL AWS_ENDPOINT_URL_S3 AWS_ENDPOINT_URL_DYNAMODB AWS_ALLOW_HTTP AWS_CONFIG_FILE
      AWS_SHARED_CREDENTIALS_FILE AWS_CA_BUNDLE AWS_ROLE_ARN AWS_ROLE_SESSION_NAME AWS_WEB_IDENTITY_TOKEN_FILE
      AWS_CONTAINER_CREDENTIALS_RELATIVE_URI AWS_CONTAINER_CREDENTIALS_FULL_URI AWS_CONTAINER_AUTHORIZATION_TOKEN
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE AWS_EC2_METADATA_DISABLED AWS_METADATA_ENDPOINT AWS_IMDSV1_FALLBACK
      AWS_VIRTUAL_HOSTED_STYLE_REQUEST AWS_UNSIGNED_PAYLOAD AWS_SKIP_SIGNATURE AWS_S3_EXPRESS AWS_REQUEST_PAYER
      AWS_COPY_IF_NOT_EXISTS AWS_CONDITIONAL_PUT AWS_CHECKSUM_ALGORITHM AWS_DISABLE_TAGGING AWS_SERVER_SIDE_ENCRYPTION
      AWS_SSE_KMS_KEY_ID AWS_SSE_BUCKET_KEY_ENABLED
    `),
  },
  {
    schemes: ['gs:'],
    variables: wordList(`
      GOOGLE_APPLICATION_CREDENTIALS GOOGLE_SERVICE_ACCOUNT GOOGLE_SERVICE_ACCOUNT_PATH GOOGLE_SERVICE_ACCOUNT_KEY
      GOOGLE_STORAGE_TOKEN GOOGLE_SKIP_SIGNATURE SERVICE_ACCOUNT
    `),
  },
  {
    schemes: ['az:', 'azure:', 'adl:', 'abfs:', 'abfss:'],
    variables: wordList(`
      AZURE_STORAGE_ACCOUNT_NAME AZURE_STORAGE_ACCOUNT_KEY AZURE_STORAGE_ACCESS_KEY AZURE_STORAGE_MASTER_KEY
      AZURE_STORAGE_CLIENT_ID AZURE_STORAGE_CLIENT_SECRET AZURE_STORAGE_TENANT_ID AZURE_STORAGE_AUTHORITY_ID
      AZURE_STORAGE_AUTHORITY_HOST AZURE_STORAGE_SAS_KEY AZURE_STORAGE_SAS_TOKEN AZURE_STORAGE_TOKEN
      AZURE_STORAGE_ENDPOINT AZURE_STORAGE_USE_EMULATOR AZURE_STORAGE_USE_FABRIC_ENDPOINT AZURE_CLIENT_ID
      AZURE_CLIENT_SECRET AZURE_TENANT_ID AZURE_AUTHORITY_ID AZURE_AUTHORITY_HOST AZURE_FEDERATED_TOKEN_FILE
      AZURE_STORAGE_FEDERATED_TOKEN_FILE AZURE_MSI_ENDPOINT AZURE_IDENTITY_ENDPOINT AZURE_MSI_RESOURCE_ID
      AZURE_OBJECT_ID AZURE_USE_AZURE_CLI AZURE_SKIP_SIGNATURE AZURE_DISABLE_TAGGING IDENTITY_ENDPOINT IDENTITY_HEADER
      MSI_ENDPOINT MSI_SECRET
    `),
  },
  { schemes: ['db:'], variables: ['LANCEDB_API_KEY', 'LANCEDB_HOST'] },
];

/**
 * What a child sees of an environment, by name; everything else stays here, and with it every key that is not the
 * storage's own. Besides, it is told what keeps native code from telling others what it does. `purpose` is undefined
 * for children that reach no other machine.
 */
export function childEnvironment(environment: Readonly<NodeJS.ProcessEnv>, purpose?: ChildPurpose): NodeJS.ProcessEnv {
  const address = purpose?.indexUri.toLowerCase() ?? '';
  const remote = isRemote(address);
  const storage = remote ? STORAGE.filter(({ schemes }) => schemes.some((scheme) => address.startsWith(scheme))) : [];
  const network = remote || purpose?.embedder.kind === 'endpoint' ? NETWORK : [];
  const wanted = new Set<string>([...ALWAYS, ...network, ...storage.flatMap(({ variables }) => variables)]);
  const given: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(environment)) {
    // Names are alike in any case on Windows, and those of proxies everywhere.
    const known = name.toUpperCase();
    const sameName = process.platform === 'win32' || known === name || known.endsWith('_PROXY');
    if (sameName && (wanted.has(known) || known.startsWith('LC_'))) given[name] = value;
  }
  return { ...given, ...TOLD };
}

/** Processors that Lance leaves to reading and writing when it counts the threads of its own that compute. */
const LEFT_TO_FILES = 2;
const LEAST_THREADS = 2;

/**
 * How many threads Lance is to start: a pool of a single thread waits for itself for ever once what runs there needs
 * the pool (lancedb/lancedb#3568), which is what Lance starts for computing on up to three processors, and in a
 * container that may use no more. So it is never left to count, and a setting of one is raised; with one thread for
 * files it hangs at the first table.
 */
export function storageThreads(
  environment: Readonly<NodeJS.ProcessEnv>,
  processors = availableParallelism(),
): NodeJS.ProcessEnv {
  const { LANCE_CPU_THREADS: computing, LANCE_IO_THREADS: reading } = environment;
  return {
    LANCE_CPU_THREADS: atLeastTwo(computing ?? processors - LEFT_TO_FILES),
    ...(reading !== undefined && { LANCE_IO_THREADS: atLeastTwo(reading) }),
  };
}

const atLeastTwo = (count: number | string): string => String(Math.max(LEAST_THREADS, Number(count) || 0));
