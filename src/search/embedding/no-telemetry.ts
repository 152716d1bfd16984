/**
 * Imported before ONNX Runtime, which from 1.29 on tells Microsoft what it is used for unless it finds this when it is
 * loaded. Our processes are started with it; programs that load a model in their own have it from here.
 */
process.env['ORT_DISABLE_TELEMETRY'] = '1';
