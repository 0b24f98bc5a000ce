//! Sends records by OpenTelemetry's exporter for Rust, batch by batch.
use std::collections::HashMap;
use std::time::{Duration, SystemTime};

use opentelemetry::logs::{AnyValue, LogRecord, Logger, LoggerProvider, Severity};
use opentelemetry::KeyValue;
use opentelemetry_otlp::{
    Compression, LogExporter, Protocol, WithExportConfig, WithHttpConfig,
};
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::logs::{
    BatchConfigBuilder, BatchLogProcessor, LogBatch, LogExporter as Exports, SdkLoggerProvider,
};
use opentelemetry_sdk::Resource;

/// The exporter gives up after some tries; it says so.
#[derive(Debug)]
struct Delivering(LogExporter);

impl Exports for Delivering {
    async fn export(&self, batch: LogBatch<'_>) -> OTelSdkResult {
        let records: Vec<_> = batch.iter().collect();
        while self.0.export(LogBatch::new(&records)).await.is_err() {
            std::thread::sleep(Duration::from_millis(500));
        }
        Ok(())
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.0.set_resource(resource);
    }
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let records: i64 = words[3].parse().expect("a number");
    let begin: chrono::DateTime<chrono::Utc> = words[4].parse().expect("a time");
    let mut builder = LogExporter::builder()
        .with_http()
        .with_protocol(Protocol::HttpBinary)
        .with_endpoint(format!("{}/v1/otlp/v1/logs", words[1]))
        .with_headers(HashMap::from([("x-api-key".to_string(), words[2].clone())]));
    if words[5] == "gzip" {
        builder = builder.with_compression(Compression::Gzip);
    }
    let exporter = Delivering(builder.build().expect("an exporter"));
    let config = BatchConfigBuilder::default().with_max_export_batch_size(50).build();
    let processor = BatchLogProcessor::builder(exporter).with_batch_config(config).build();
    let resource = Resource::builder_empty().with_attributes([
        KeyValue::new("service.name", "checkout"),
        KeyValue::new("deployment.environment.name", "staging"),
    ]);
    let provider = SdkLoggerProvider::builder()
        .with_resource(resource.build())
        .with_log_processor(processor)
        .build();
    let logger = provider.logger("payments");
    for n in 0..records {
        let at: SystemTime = (begin + chrono::Duration::seconds(n)).into();
        let mut record = logger.create_log_record();
        record.set_timestamp(at);
        record.set_observed_timestamp(at);
        record.set_severity_number(Severity::Error);
        record.set_severity_text("ERROR");
        record.set_body(format!("Payment {n} failed").into());
        record.add_attribute("orderId", n);
        record.add_attribute("retry", true);
        record.add_attribute("codes", AnyValue::from_iter(["a", "b"]));
        record.add_attribute("nested", AnyValue::from_iter([("reason", "timeout")]));
        logger.emit(record);
        if n % 50 == 49 {
            while provider.force_flush().is_err() {}
            println!("{}", n + 1);
        }
    }
    provider.shutdown().expect("an end");
}
